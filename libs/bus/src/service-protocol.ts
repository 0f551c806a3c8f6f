import type { RpcService } from "./rpc.ts";

/** What NATS's service protocol (ADR-32) tells of one running service. Times are nanoseconds. */
export type ServiceReport = {
  /** Notes a request that was answered: with what error (`404:not found`), if any, and after how many milliseconds. */
  count: (endpoint: string, ms: number, error: string | null) => void;
  /** The subjects to answer on, each with the text of its answer now. */
  answers: readonly { subject: string; answer: () => string }[];
};

type Counts = { requests: number; errors: number; lastError: string; nanoseconds: number };

/** Begins the report of a service instance. `started` is ISO-8601. */
export function createServiceReport(service: RpcService, instance: string, started: string): ServiceReport {
  const { name, version, description, queue, endpoints } = service;
  const counts = new Map<string, Counts>(
    endpoints.map((endpoint) => [endpoint.name, { requests: 0, errors: 0, lastError: "", nanoseconds: 0 }]),
  );
  const identity = { name, id: instance, version, metadata: {} };
  const type = (what: string) => `io.nats.micro.v1.${what}_response`;

  const ping = () => ({ type: type("ping"), ...identity });
  const info = () => ({
    type: type("info"),
    ...identity,
    description,
    endpoints: endpoints.map((endpoint) => ({
      name: endpoint.name,
      subject: endpoint.subject,
      queue_group: queue,
      metadata: { template: endpoint.template },
    })),
  });
  const stats = () => ({
    type: type("stats"),
    ...identity,
    started,
    endpoints: endpoints.map((endpoint) => {
      const of = counts.get(endpoint.name);
      const requests = of?.requests ?? 0;
      const nanoseconds = Math.round(of?.nanoseconds ?? 0);
      return {
        name: endpoint.name,
        subject: endpoint.subject,
        queue_group: queue,
        num_requests: requests,
        num_errors: of?.errors ?? 0,
        last_error: of?.lastError ?? "",
        processing_time: nanoseconds,
        average_processing_time: requests === 0 ? 0 : Math.round(nanoseconds / requests),
        data: service.stats?.() ?? null,
      };
    }),
  });

  return {
    count(endpoint, ms, error) {
      const of = counts.get(endpoint);
      if (of === undefined) return;
      of.requests++;
      of.nanoseconds += ms * 1e6;
      if (error !== null) {
        of.errors++;
        of.lastError = error;
      }
    },
    answers: Object.entries({ PING: ping, INFO: info, STATS: stats }).flatMap(([verb, build]) =>
      [`$SRV.${verb}`, `$SRV.${verb}.${name}`, `$SRV.${verb}.${name}.${instance}`].map((subject) => ({
        subject,
        answer: () => JSON.stringify(build()),
      })),
    ),
  };
}
