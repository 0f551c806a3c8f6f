import { metrics } from "@opentelemetry/api";

/** What the renderer measures. No telemetry configured: it costs nothing. */
export type Meters = {
  /** `incipit.render.cache`: whether a render found everything in memory. */
  cache: (result: "hit" | "miss") => void;
  /** `incipit.log.rejected`: messages of the log that were skipped. */
  rejected: () => void;
  /** Ends the gauge. */
  stop: () => void;
};

/** Registers the renderer's metrics; the gauge `incipit.renderer.seq` reads `seq` at each collection. */
export function startMeters(seq: () => number): Meters {
  const meter = metrics.getMeter("@incipit/renderer");
  const cache = meter.createCounter("incipit.render.cache", {
    description: "Renders by whether all they needed was in memory.",
    unit: "{render}",
  });
  const rejected = meter.createCounter("incipit.log.rejected", {
    description: "Messages of the log that were skipped because they are not ours.",
    unit: "{message}",
  });
  const gauge = meter.createObservableGauge("incipit.renderer.seq", {
    description: "Log position of the last pointer event applied.",
  });
  const observe = (result: { observe: (value: number) => void }) => result.observe(seq());
  gauge.addCallback(observe);
  return {
    cache: (result) => cache.add(1, { "incipit.render.cache.result": result }),
    rejected: () => rejected.add(1),
    stop: () => gauge.removeCallback(observe),
  };
}
