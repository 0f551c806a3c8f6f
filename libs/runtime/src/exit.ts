/** What a process of this project exits with. */
export const EXIT = {
  /** Stopped because it was asked to, everything in flight finished. */
  ok: 0,
  /** Failed: a bug, an outage it cannot wait out, or a stop that took too long. */
  failed: 1,
  /** The configuration is wrong; standard error says how. */
  config: 2,
} as const;
