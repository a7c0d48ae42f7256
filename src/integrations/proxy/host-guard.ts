/**
 * Whether a `host` header names this machine by a name that nobody can buy: an address, a single word, or a name that is kept for
 * private networks and for tests. A web page can have its own name lead to this machine, and then reads whatever it asks for; but
 * its browser still says that name.
 */
export function isOwnName(host: string | undefined): boolean {
  if (host === undefined || known.has(host)) return true
  if (!form.test(host)) return false
  if (known.size >= knownMax) known.clear()
  if (host.length <= lengthMax) known.add(host)
  return true
}

const form =
  /^(?:\[[\da-f:.%]+\]|\d{1,3}(?:\.\d{1,3}){3}|[\w-]*|[\w.-]+\.(?:localhost|local|lan|internal|home\.arpa|test|example|invalid))(?::\d*)?$/i

const known = new Set<string>()
const [knownMax, lengthMax] = [100, 200]
