import { formatDateTime } from "@atrium/plugin-sdk/ui";

const instant = /\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g;

/** A sentence of the server with its instants as the page writes all times. */
export const withLocalTimes = (sentence: string): string => sentence.replaceAll(instant, formatDateTime);
