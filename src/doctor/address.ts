/** A PostgreSQL address without its password, for people to read and for files to keep. */
export function placeOf(address: string): string {
  if (!URL.canParse(address)) return 'the given address'
  const url = new URL(address)
  url.password = ''
  for (const name of ['password', 'sslpassword']) url.searchParams.delete(name)
  // With an @ behind the host, what reads as the host is none: it is a piece of a password.
  return `${url.pathname}${url.search}${url.hash}`.includes('@') ? 'the given address' : url.href
}

/** The address with its password: its own, or that of the address in the environment if it is the same database. */
export function withPassword(address: string, known: string | undefined): string {
  if (known === undefined || !URL.canParse(address) || new URL(address).password !== '') return address
  return placeOf(known) === placeOf(address) ? known : address
}
