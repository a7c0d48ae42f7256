/** The first SQLite release in which connections that reset the WAL at the same time cannot damage the file. */
const fixedIn = [3, 51, 3]

/** A warning about this SQLite release, if it has that bug. */
export function sqliteWarning(version: string): string | undefined {
  const parts = version.split('.').map(Number)
  const differs = fixedIn.findIndex((part, index) => parts[index] !== part)
  const [fixed, part = 0] = [fixedIn[differs], parts[differs]]
  if (fixed === undefined || part > fixed) return undefined
  return `SQLite ${version} can damage a file that several processes write (fixed in ${fixedIn.join('.')}): update Node.js`
}
