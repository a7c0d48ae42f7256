/**
 * Whether a page of another site sent this request in a form that needs no permission of the server. Browsers send such requests with
 * the user's cookies: only for other content types, as JSON, they ask the server first (a CORS preflight).
 */
export function isCrossSiteForm(request: Request): boolean {
  const [type = ''] = (request.headers.get('content-type') ?? '').split(';')
  return formTypes.has(type.trim().toLowerCase()) && isCrossSite(request)
}

/** Whether a page of another site sent this request. */
export function isCrossSite({ headers, url }: Request): boolean {
  const site = headers.get('sec-fetch-site')
  if (site !== null) return site !== 'same-origin' && site !== 'none'
  const origin = headers.get('origin')
  // Programs send no origin.
  return origin !== null && URL.parse(origin)?.host !== (headers.get('host') ?? URL.parse(url)?.host)
}

const formTypes: ReadonlySet<string> = new Set([
  ...['', 'text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data'],
])

export const crossSiteText = 'a page of another site sent this request without being allowed to'
export const crossSiteHint = 'send the body as application/json, and allow the origin of the page with CORS'
