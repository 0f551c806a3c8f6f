import { defineConfig } from "vitest/config";

// Workspace packages resolve to their sources, so that no build stands between an edit and its test.
// Not "module": Node itself is given these conditions, and OpenTelemetry puts files there that only bundlers can read.
const conditions = ["incipit-source", "node", "development|production"];
const shared = {
  resolve: { conditions },
  ssr: { resolve: { conditions } },
};
const project = (name: string, include: string[], timeoutMs: number) => ({
  ...shared,
  test: { name, include, testTimeout: timeoutMs, hookTimeout: timeoutMs, pool: "forks" as const },
});

export default defineConfig({
  test: {
    projects: [
      project(
        "unit",
        ["libs/**/*.test.ts", "services/**/*.test.ts", "cli/**/*.test.ts", "scripts/**/*.test.ts"],
        30_000,
      ),
      project("architecture", ["test/architecture.test.ts"], 30_000),
      project("contract", ["test/contract/**/*.test.ts"], 120_000),
      project("integration", ["test/{integration,systems}/**/*.test.ts"], 180_000),
      project("chaos", ["test/chaos/**/*.test.ts"], 300_000),
      project("e2e", ["test/e2e/**/*.test.ts"], 300_000),
      project("bench", ["bench/**/*.bench.ts"], 300_000),
      project("containers", ["test/containers/**/*.test.ts"], 600_000),
    ],
  },
});
