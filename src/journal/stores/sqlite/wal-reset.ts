/** The first release of SQLite in which connections that reset the log at the same time cannot damage the file. */
const mendedIn = [3, 51, 3]

/** What is wrong with that release of SQLite, if anything is. */
export function warningOf(version: string): string | undefined {
  const parts = version.split('.').map(Number)
  const differs = mendedIn.findIndex((part, index) => parts[index] !== part)
  if (differs < 0 || parts[differs] > mendedIn[differs]) return undefined
  return `SQLite ${version} can damage a file that several processes write (mended in ${mendedIn.join('.')}): update Node.js`
}
