import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));

/** Which of the project's packages each may import; the arrows of docs/architecture.md. */
const ALLOWED: Record<string, readonly string[]> = {
  "libs/schema": [],
  "libs/events": ["schema"],
  "libs/templates": ["schema"],
  "libs/files": ["schema"],
  "libs/nats-server": [],
  "libs/bus": ["schema", "events"],
  "libs/runtime": ["schema"],
  "libs/client": ["schema", "events", "bus"],
  "services/registry": ["schema", "events", "templates", "files", "bus", "runtime"],
  "services/renderer": ["schema", "events", "templates", "bus", "runtime"],
  // The command starts the services as processes, by the path of their `main`; it never imports their code.
  cli: ["schema", "events", "templates", "files", "client", "nats-server"],
};

/** Packages without I/O, clock or randomness, and folders of services that are likewise. */
const PURE = [
  "libs/schema",
  "libs/events",
  "libs/templates",
  "libs/files",
  "services/registry/src/domain",
  "services/renderer/src/render",
];

/** Who alone may import what. */
const SEALED: Record<string, (place: string) => boolean> = {
  handlebars: (place) => place.startsWith("libs/templates/"),
  "better-sqlite3": (place) => place.startsWith("services/registry/"),
  nats: (place) => place.startsWith("libs/bus/"),
  pino: (place) => place.startsWith("libs/runtime/"),
  "@opentelemetry/sdk-node": (place) => place.startsWith("libs/runtime/"),
};

type Source = { place: string; text: string; imports: string[] };

const packages = Object.keys(ALLOWED);
const sourcesOf = (folder: string): Source[] =>
  (readdirSync(path.join(root, folder), { recursive: true }) as string[])
    .filter((name) => name.endsWith(".ts") && !name.includes("node_modules") && !name.startsWith("dist"))
    .map((name) => {
      const place = path.posix.join(folder, name.split(path.sep).join("/"));
      const text = readFileSync(path.join(root, place), "utf8");
      const imports = [
        ...text.matchAll(
          /^\s*(?:import|export)\b[^;]*?\bfrom\s+"([^"]+)"|\bimport\(\s*"([^"]+)"|^import "([^"]+)"/gm,
        ),
      ];
      return { place, text, imports: imports.map((match) => match[1] ?? match[2] ?? match[3] ?? "") };
    });
const sources = new Map(packages.map((name) => [name, sourcesOf(`${name}/src`)]));
const product = (name: string) =>
  (sources.get(name) ?? []).filter((source) => !source.place.endsWith(".test.ts"));
const packageOf = (specifier: string) =>
  specifier.startsWith("@") ? specifier.split("/").slice(0, 2).join("/") : (specifier.split("/")[0] ?? "");
const manifestOf = (name: string) =>
  JSON.parse(readFileSync(path.join(root, name, "package.json"), "utf8")) as {
    name: string;
    dependencies?: Record<string, string>;
    devDependencies?: Record<string, string>;
    exports: Record<string, string | Record<string, string>>;
  };

it("knows every package of the workspace", () => {
  const found = ["libs", "services"].flatMap((folder) =>
    readdirSync(path.join(root, folder)).map((name) => `${folder}/${name}`),
  );
  expect([...found, "cli"].toSorted()).toEqual(packages.toSorted());
});

describe.each(packages)("%s", (name) => {
  const manifest = manifestOf(name);

  it("has the skeleton of every package", () => {
    for (const file of ["package.json", "tsconfig.json", "README.md"])
      expect(existsSync(path.join(root, name, file)), `${name}/${file}`).toBe(true);
    if (name !== "cli")
      expect(readFileSync(path.join(root, name, "src/index.ts"), "utf8")).not.toMatch(/^export \*/m);
    expect(manifest.name).toBe(`@incipit/${path.basename(name)}`);
  });

  it("imports only the packages that it may", () => {
    const wrong = product(name).flatMap(({ place, imports }) =>
      imports
        .filter((specifier) => specifier.startsWith("@incipit/"))
        .filter((specifier) => !ALLOWED[name]?.includes(specifier.split("/")[1] ?? ""))
        .map((specifier) => `${place} imports ${specifier}`),
    );
    expect(wrong).toEqual([]);
  });

  it("reaches into no other package's files", () => {
    const wrong = product(name).flatMap(({ place, imports }) =>
      imports
        .filter((specifier) => specifier.startsWith("."))
        .filter(
          (specifier) => !path.posix.join(path.posix.dirname(place), specifier).startsWith(`${name}/src/`),
        )
        .map((specifier) => `${place} imports ${specifier}`),
    );
    expect(wrong).toEqual([]);
  });

  it("declares exactly the dependencies that its product code imports", () => {
    const used = new Set(
      product(name)
        .flatMap(({ imports }) => imports)
        .filter((specifier) => !specifier.startsWith(".") && !specifier.startsWith("node:"))
        .map(packageOf),
    );
    // Started as processes, resolved by name.
    if (name === "cli") for (const started of ["@incipit/registry", "@incipit/renderer"]) used.add(started);
    expect(Object.keys(manifest.dependencies ?? {}).toSorted()).toEqual([...used].toSorted());
  });

  it("exports files that the build makes", () => {
    for (const target of Object.values(manifest.exports).flatMap((e) =>
      typeof e === "string" ? [e] : Object.values(e),
    )) {
      const source = target.replace("/dist/", "/src/").replace(/\.d\.ts$|\.js$/, ".ts");
      expect(existsSync(path.join(root, name, source)), `${name}: ${target}`).toBe(true);
    }
  });

  it("has no file named after nothing", () => {
    const vague = /(^|\/)(utils?|helpers|common|manager|misc|shared)(\/|\.|-)/;
    expect((sources.get(name) ?? []).map(({ place }) => place).filter((place) => vague.test(place))).toEqual(
      [],
    );
  });

  it("reads the environment in its main.ts alone", () => {
    const readers = product(name)
      .filter(({ place, text }) => /\bprocess\.env\b/.test(text) && !place.endsWith("/src/main.ts"))
      .map(({ place }) => place);
    expect(readers).toEqual([]);
  });
});

describe("sealed libraries", () => {
  it.each(Object.entries(SEALED))("%s is imported in its one place only", (library, isAllowed) => {
    const wrong = packages
      .flatMap(product)
      .filter(({ imports }) => imports.some((specifier) => packageOf(specifier) === library))
      .map(({ place }) => place)
      .filter((place) => !isAllowed(place));
    expect(wrong).toEqual([]);
  });
});

describe("pure code", () => {
  it.each(PURE)("%s imports nothing of Node, of NATS, of SQLite, of a logger or of telemetry", (folder) => {
    const banned =
      /^(node:|nats$|better-sqlite3|pino|@opentelemetry\/|@incipit\/(bus|runtime|client|nats-server))/;
    const wrong = packages
      .flatMap(product)
      .filter(({ place }) => place.startsWith(`${folder}/`))
      .flatMap(({ place, imports }) =>
        imports.filter((specifier) => banned.test(specifier)).map((s) => `${place}: ${s}`),
      );
    expect(wrong).toEqual([]);
  });

  it.each(PURE)("%s has no clock and no randomness", (folder) => {
    const impure = /\bDate\.now\(|\bnew Date\(\)|\bMath\.random\(|\bperformance\.|\bcrypto\./;
    const wrong = packages
      .flatMap(product)
      .filter(({ place, text }) => place.startsWith(`${folder}/`) && impure.test(text))
      .map(({ place }) => place);
    expect(wrong).toEqual([]);
  });

  it.each(PURE.filter((folder) => folder.startsWith("libs/")))(
    "%s compiles without the types of any platform",
    (folder) => {
      const config = JSON.parse(readFileSync(path.join(root, folder, "tsconfig.json"), "utf8")) as {
        compilerOptions: { types: string[]; lib?: string[] };
      };
      expect(config.compilerOptions.types).toEqual([]);
      expect(config.compilerOptions.lib).toBeUndefined();
    },
  );
});

describe("documentation", () => {
  const ignored = /(^|\/)(node_modules|dist|examples|\.\w+)\//;
  const pages = (readdirSync(root, { recursive: true }) as string[])
    .map((name) => name.split(path.sep).join("/"))
    .filter((name) => name.endsWith(".md") && !ignored.test(name));

  it.each(pages)("%s links to what is there", (page) => {
    const text = readFileSync(path.join(root, page), "utf8");
    const links = [...text.matchAll(/\]\((?!https?:|#)([^)#\s]+)/g)].map((match) => match[1] ?? "");
    const missing = links.filter((link) => !existsSync(path.join(root, path.dirname(page), link)));
    expect(missing).toEqual([]);
  });
});
