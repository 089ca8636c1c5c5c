/** A command with the shape of its real answer, shortened; the person in it does not exist. */
export const commandExample = {
  command: "atrium user list --json",
  output: `{
  "users": [
    {
      "name": "Mira Okafor",
      "email": "mira@northwind.example",
      "role": "admin",
      …
    }
  ],
  "pagination": { "total": 1, … }
}`,
} as const;

/** A refused call, as the API answers it, its id shortened. */
export const failureExample = `{
  "success": false,
  "code": "INVALID_CREDENTIALS",
  "message": "Invalid email or password",
  "requestId": "597f1931-f82f-…"
}`;
