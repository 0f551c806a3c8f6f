/*
 * Preloaded into every service that `up` starts, so that none outlives it: when the channel to `up` closes (it was killed,
 * or crashed), the service is told to stop, and takes along what `up` has named: the nats-server, which has no channel.
 */
let companions: number[] = [];
let isOrphan = false;

process.on("message", (message: unknown) => {
  if (Array.isArray(message)) companions = message.filter((pid) => Number.isInteger(pid) && pid > 1);
});
process.on("disconnect", () => {
  isOrphan = true;
  process.kill(process.pid, "SIGTERM");
});
process.on("exit", () => {
  if (!isOrphan) return;
  for (const pid of companions) {
    try {
      process.kill(pid, "SIGTERM");
    } catch {
      // It has ended already.
    }
  }
});
// The channel alone is no reason to stay.
process.channel?.unref();
