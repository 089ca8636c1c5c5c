type TextControl = HTMLInputElement | HTMLTextAreaElement;

/**
 * Remembers what was typed into prerendered fields. The returned function, called once React runs the page, tells it
 * about each of them: React takes the texts it finds for its own and would never hear of what was typed before.
 */
export const keepTypedInput = (root: ParentNode): (() => void) => {
  const typed = [...root.querySelectorAll<TextControl>("input, textarea")]
    .filter((field) => field.value !== field.defaultValue)
    .map((field) => ({ field, text: field.value }));
  return () => {
    for (const { field, text } of typed) retype(field, text);
  };
};

// React watches the element's own `value` property to tell real changes from its own: resetting through it and then
// writing through the prototype's setter makes the typed text count as a change.
const retype = (field: TextControl, text: string) => {
  if (!field.isConnected) return;
  field.value = field.defaultValue;
  const prototype =
    field instanceof HTMLInputElement ? HTMLInputElement.prototype : HTMLTextAreaElement.prototype;
  Object.getOwnPropertyDescriptor(prototype, "value")?.set?.call(field, text);
  field.dispatchEvent(new Event("input", { bubbles: true }));
};
