/** Whether a text can be the path of a rule: from the root, without spaces and query. */
export const isRulePath = (text: string): boolean => /^\/[^\s?#]{0,299}$/.test(text.trim());
