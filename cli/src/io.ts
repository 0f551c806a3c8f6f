/** What a command has of the world besides the bus: its streams and environment, as values. */
export type Io = {
  /** To stdout; bytes as they are. */
  out: (text: string | Uint8Array) => void;
  /** To stderr. */
  err: (text: string) => void;
  /** All of stdin. */
  readStdin: () => Promise<Uint8Array>;
  env: Readonly<Record<string, string | undefined>>;
  /** Aborted when the person or a program asks this process to end. To look at it is to take care of ending. */
  readonly ended: AbortSignal;
};

/** What the process ends with. */
export const EXIT = {
  done: 0,
  /** The problem is on stderr. */
  refused: 1,
  /** The command line is wrong. */
  usage: 2,
  /** The bus or a service cannot be reached. */
  unreachable: 3,
} as const;

/** One of the exit codes. */
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];
