export { EXIT, type ExitCode, type Io } from "./io.ts";
export { runProgram } from "./program.ts";
