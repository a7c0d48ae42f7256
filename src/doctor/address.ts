/** A PostgreSQL address without its password, to show to people and to write into files. */
export function addressWithoutPassword(address: string): string {
  if (!URL.canParse(address)) return 'the given address'
  const url = new URL(address)
  url.password = ''
  for (const name of ['password', 'sslpassword']) url.searchParams.delete(name)
  // With a second @ after the host, the apparent host is part of a password.
  return `${url.pathname}${url.search}${url.hash}`.includes('@') ? 'the given address' : url.href
}

/**
 * The address with its password: its own, or the one from the environment's address if that names the same database.
 */
export function withPassword(address: string, known: string | undefined): string {
  if (known === undefined || !URL.canParse(address) || new URL(address).password !== '') return address
  return addressWithoutPassword(known) === addressWithoutPassword(address) ? known : address
}
