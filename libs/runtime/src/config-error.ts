/** One thing that is wrong with the configuration. No text of it holds a secret. */
export type ConfigFault = {
  /** The variable's name. */
  variable: string;
  /** What is wrong with it, as the rest of a sentence: `is "2"`. */
  fault: string;
  /** What would be right, as a sentence without its end: `1 or 3`. */
  expected: string;
};

/** The environment does not make a configuration. The message lists every fault and is meant to be read by a person. */
export class ConfigError extends Error {
  override name = "ConfigError";
  readonly faults: readonly ConfigFault[];

  constructor(faults: readonly ConfigFault[]) {
    super(describeFaults(faults));
    this.faults = faults;
  }
}

function describeFaults(faults: readonly ConfigFault[]): string {
  const count = faults.length === 1 ? "a fault" : `${faults.length} faults`;
  const lines = faults.map(
    ({ variable, fault, expected }) => `  ${variable} ${fault}. Expected: ${expected}.`,
  );
  return [`The configuration has ${count}:`, ...lines].join("\n");
}
