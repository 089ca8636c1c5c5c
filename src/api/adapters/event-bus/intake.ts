export type IntakeOptions = {
  onMessage(text: string): void;
  /** Messages were passed over: what they said is not known. */
  onOverflow(): void;
  /** How many messages each span of time has room for. */
  most?: number;
  spanMs?: number;
};

/** The way in for messages of others. */
export type Intake = { take(text: string): void; stop(): void };

/**
 * Takes messages at a rate that no installation reaches, because whoever else may write to the database or to Redis could
 * send any number of them; NOTIFY needs no right at all. What comes beyond is passed over unread, and at the end of the span
 * told of once, so that nothing which a real message among them said is missed for longer than that.
 */
export const createIntake = ({ onMessage, onOverflow, most = 125, spanMs = 250 }: IntakeOptions): Intake => {
  let taken = 0;
  let span: ReturnType<typeof setTimeout> | undefined;
  const onEnd = (): void => {
    const isOverflown = taken > most;
    taken = 0;
    span = undefined;
    if (isOverflown) onOverflow();
  };
  return {
    take: (text) => {
      span ??= setTimeout(onEnd, spanMs);
      taken += 1;
      if (taken <= most) onMessage(text);
    },
    stop: () => clearTimeout(span),
  };
};
