/** A call of this server's API with a token that stands in the environment. */
export const exampleCall = (): string =>
  `curl -H "Authorization: Bearer $ATRIUM_TOKEN" ${location.origin}/api/plugins`;
