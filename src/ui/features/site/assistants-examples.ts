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

/** A refused call, as every door answers it. Source: CONTRACT §3. */
export const failureExample = `{
  "success": false,
  "code": "INVALID_CREDENTIALS",
  "message": "Invalid email or password",
  "requestId": "0f4c2d1e9a21"
}`;
