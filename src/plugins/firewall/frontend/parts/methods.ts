/** Methods that rules can be about; `*` is any. */
export const ruleMethods = ["*", "GET", "POST", "PUT", "PATCH", "DELETE"] as const;
