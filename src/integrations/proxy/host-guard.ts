/**
 * DNS-rebinding guard: accepts only `host` values that cannot be a public domain, which are addresses, single-label names,
 * and names reserved for private networks and tests. A web page can make its own domain resolve to this machine and then read
 * the answers, but its browser still sends that domain as `host`.
 */
export function isPrivateHost(host: string | undefined): boolean {
  if (host === undefined || known.has(host)) return true
  if (!form.test(host)) return false
  if (known.size >= knownMax) known.clear()
  if (host.length <= lengthMax) known.add(host)
  return true
}

/** Whether there is more than one `host`. Node reads the first, and a server before or after the proxy may read another. */
export function hasSeveralHosts(rawHeaders: readonly string[]): boolean {
  let count = 0
  for (let index = 0; index < rawHeaders.length; index += 2)
    if (rawHeaders[index]?.length === 4 && rawHeaders[index]?.toLowerCase() === 'host') count++
  return count > 1
}

const form =
  /^(?:\[[\da-f:.%]+\]|\d{1,3}(?:\.\d{1,3}){3}|[\w-]*|[\w.-]+\.(?:localhost|local|lan|internal|home\.arpa|test|example|invalid))(?::\d*)?$/i

const known = new Set<string>()
const [knownMax, lengthMax] = [100, 200]
