/** Requirements of every page that a mailed link leads to. (docs/specification/service.md#mailed-pages) */
export function expectHeadersOfMailedPage(headers: Headers): void {
  expect(headers.get("content-type")).toBe("text/html; charset=utf-8");
  expect(headers.get("cache-control")).toBe("private, no-store");
  expect(headers.get("referrer-policy")).toBe("no-referrer");
  expect(headers.get("x-content-type-options")).toBe("nosniff");
  expect(headers.get("x-robots-tag")).toBe("noindex");
  expect(headers.get("strict-transport-security")).toMatch(/^max-age=\d{8}/);
  expect(headers.get("content-security-policy")?.split("; ").toSorted()).toEqual([
    "base-uri 'none'",
    "default-src 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    expect.stringMatching(/^script-src 'sha256-[A-Za-z0-9+/]{43}='$/),
    expect.stringMatching(/^style-src 'sha256-[A-Za-z0-9+/]{43}='$/),
  ]);
  expect([headers.get("set-cookie"), headers.get("x-powered-by")]).toEqual([null, null]);
}
