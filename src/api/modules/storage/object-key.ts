const form = /^[A-Za-z0-9_][A-Za-z0-9._+-]*(?:\/[A-Za-z0-9_][A-Za-z0-9._+-]*)*$/;
const mostCharacters = 500;

/** Throws unless the key is a plain path: keys come from the program, so that another one is a fault of ours. */
export const checkKey = (key: string): void => {
  if (key.length > mostCharacters || !form.test(key) || key.includes(".."))
    throw new Error("this is no key of an object");
};
