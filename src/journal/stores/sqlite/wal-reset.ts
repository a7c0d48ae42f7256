/** The first release of SQLite in which connections that reset the log at the same time cannot damage the file. */
const fixedIn = [3, 51, 3]

/** What is wrong with that release of SQLite, if anything is. */
export function sqliteWarning(version: string): string | undefined {
  const parts = version.split('.').map(Number)
  const differs = fixedIn.findIndex((part, index) => parts[index] !== part)
  if (differs < 0 || parts[differs] > fixedIn[differs]) return undefined
  return `SQLite ${version} can damage a file that several processes write (mended in ${fixedIn.join('.')}): update Node.js`
}
