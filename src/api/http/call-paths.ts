/** Where programs find the description of the API. */
export const documentPath = "/swagger/json";

const probes = new Set(["/api/health", "/api/ready", "/api/metrics"]);

/** Whether a path is one that is asked for by who watches the process. */
export const isProbe = (path: string): boolean => probes.has(path);

const anyName = new Set(["/api/health", "/api/ready"]);

/** Whether a path is answered under any `Host`: whoever asks knows the process by its address alone. */
export const isUnderAnyName = (path: string): boolean => anyName.has(path);
