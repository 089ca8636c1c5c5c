/** Whether every per cent sign in a text begins the code of a byte, and the bytes are UTF-8. */
export const decodes = (text: string): boolean => {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    // What `decodeURIComponent` throws says no more than that.
    return false;
  }
};
