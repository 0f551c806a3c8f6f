import { expect, test } from "vitest";
import { parseServers, withoutSecrets } from "./servers.ts";

test("a list of servers is read, with who to be and whether to speak TLS", () => {
  expect(parseServers("nats://a:4222, b:4223")).toEqual({
    addresses: ["nats://a:4222", "b:4223"],
    tls: false,
  });
  expect(parseServers("tls://ann:p%40ss:x@a,tls://b")).toEqual({
    addresses: ["tls://a", "tls://b"],
    tls: true,
    user: "ann",
    password: "p@ss:x",
  });
});

test("what is no list of servers is an error that shows no password", () => {
  expect(() => parseServers(" , ")).toThrow(/No NATS server is given/);
  expect(() => parseServers("http://ann:secret@a")).toThrow(/^http:\/\/a is not a NATS URL/);
  expect(() => parseServers("nats://ann:secret@a:99999")).toThrow(/^nats:\/\/a:99999 is not a NATS URL/);
  expect(() => parseServers("two words")).toThrow(/^two words is not a NATS URL/);
});

test("a list to be shown has no secrets", () => {
  expect(withoutSecrets("nats://ann:secret@a:1,tls://b,ann:x@c")).toBe("nats://a:1, tls://b, c");
});
