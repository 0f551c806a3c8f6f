import { MsgHdrsImpl, type Msg } from "nats";
import { expect, test } from "vitest";
import { readArrival } from "./delivery.ts";

const inbox = "_INBOX.x";
function arrive(fields: { subject?: string; reply?: string; block?: string; data?: string }) {
  const { subject = inbox, reply = "", block, data = "" } = fields;
  const headers = block === undefined ? undefined : MsgHdrsImpl.decode(new TextEncoder().encode(block));
  // What the function reads of a message, and no more.
  return readArrival(
    { subject, reply, headers, data: new TextEncoder().encode(data) } as unknown as Msg,
    inbox,
  );
}

test.each([
  "$JS.ACK.PROMPTS.c1.1.17.5.1700000000000000000.3",
  "$JS.ACK.hub.ACCOUNTHASH.PROMPTS.c1.1.17.5.1700000000000000000.3",
  "$JS.ACK.hub.ACCOUNTHASH.PROMPTS.c1.1.17.5.1700000000000000000.3.random",
])("the place of a message is read from %s", (reply) => {
  const delivery = { record: expect.objectContaining({ seq: 17, subject: "s" }), consumerSeq: 5, pending: 3 };
  expect(arrive({ subject: "s", reply })).toEqual({ kind: "record", delivery });
});

test("a message without its place ends the consumer", () => {
  for (const reply of ["", "$JS.ACK.x", "$JS.ACK.PROMPTS.c1.1.a.5.1.3"])
    expect(arrive({ subject: "s", reply })).toMatchObject({ kind: "end" });
});

test("heartbeats, flow control and ends are told apart", () => {
  const heartbeat = "NATS/1.0 100 Idle Heartbeat\r\nNats-Last-Consumer: 7\r\nNats-Last-Stream: 9\r\n";
  expect(arrive({ block: heartbeat })).toEqual({ kind: "heartbeat", lastConsumerSeq: 7, answerTo: null });
  expect(arrive({ block: `${heartbeat}Nats-Consumer-Stalled: $JS.FC.x\r\n` })).toMatchObject({
    answerTo: "$JS.FC.x",
  });
  const flow = { block: "NATS/1.0 100 FlowControl Request\r\n", reply: "$JS.FC.y" };
  expect(arrive(flow)).toEqual({ kind: "flow", answerTo: "$JS.FC.y" });
  expect(arrive({ block: "NATS/1.0 409 Consumer Deleted\r\n" })).toEqual({
    kind: "end",
    reason: "409 Consumer Deleted",
  });
});

test("a stored message that looks like a heartbeat is a record", () => {
  const reply = "$JS.ACK.PROMPTS.c1.1.17.5.1700000000000000000.3";
  expect(arrive({ subject: "s", reply, block: "NATS/1.0 100 Idle Heartbeat\r\n" })).toMatchObject({
    kind: "record",
  });
});
