/** Gives the key of a message that is being sent; made anew as soon as the message is another one. */
export type MessageKey = {
  for(content: object): string;
  /** The message has arrived: the same words again are meant to be sent again. */
  forget(): void;
};

/** Remembers the key of the message in hand, so that a retry is known for one wherever the first try got to. */
export const createMessageKey = (newKey: () => string = () => crypto.randomUUID()): MessageKey => {
  let known: { content: string; key: string } | null = null;
  return {
    for: (content) => {
      const text = JSON.stringify(content);
      if (known?.content !== text) known = { content: text, key: newKey() };
      return known.key;
    },
    forget: () => {
      known = null;
    },
  };
};
