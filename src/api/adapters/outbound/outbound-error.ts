/** Why a call to another server came to nothing: fixed texts, so that nothing of an address or an answer is repeated. */
export const outboundFaults = {
  refused: "the address is not one that is called from here",
  unreachable: "the server could not be reached",
  slow: "the server did not answer in time",
  large: "the answer is too large",
  redirect: "the server answered with a redirect",
} as const;
export type OutboundFault = keyof typeof outboundFaults;

/** A call to another server that failed; its message says of what kind the failure is and no more. */
export class OutboundError extends Error {
  readonly fault: OutboundFault;

  constructor(fault: OutboundFault) {
    super(outboundFaults[fault]);
    this.name = "OutboundError";
    this.fault = fault;
  }
}
