/** What the headers of an answer say of the limit on calls. */
export const limitHeadersOf = ({ headers }: Response) => ({
  policy: headers.get("ratelimit-policy"),
  limit: headers.get("ratelimit"),
  retryAfter: headers.get("retry-after"),
});

/** How many more calls would pass, as the answer says; `NaN` when it says nothing. */
export const remainingRequests = (response: Response): number =>
  Number(/;r=(\d+);/.exec(response.headers.get("ratelimit") ?? "")?.[1] ?? Number.NaN);
