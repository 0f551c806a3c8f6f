#!/usr/bin/env node
// Committed, so that `npm ci` links the command before anything is built.
import { existsSync } from "node:fs";

const built = new URL("../dist/main.js", import.meta.url);
if (!existsSync(built)) {
  console.error("incipit is not built yet: run `npm run build` in the project's root first.");
  process.exit(2);
}
await import(built.href);
