/** A record for the report: a large one is cut, because the backup has all of it. */
export function reportText(record: string | Buffer = ''): string {
  const start = typeof record === 'string' ? record.slice(0, lengthMax) : record.subarray(0, lengthMax).toString()
  const unit = typeof record === 'string' ? 'characters' : 'bytes'
  return record.length > lengthMax ? `${start}… (${record.length} ${unit} in all)` : start
}

const lengthMax = 16 * 1024

/** The note on lines that are not JSON, by their numbers from 1. */
export function notJsonNotes([first, ...more]: readonly number[]): string[] {
  if (first === undefined) return []
  return more.length === 0
    ? [`line ${first} is not JSON and stays as it is`]
    : [`${more.length + 1} lines are not JSON and stay as they are, the first is line ${first}`]
}
