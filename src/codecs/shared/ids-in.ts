/** The ids that `read` finds in the entries of a list, if it is one; only a text is an id. */
export function idsIn<Entry>(list: unknown, read: (entry: Entry | null | undefined) => unknown): readonly string[] {
  if (!Array.isArray(list)) return none
  const ids: string[] = []
  for (let index = 0; index < list.length; index++) {
    const id = read(list[index])
    if (typeof id === 'string') ids.push(id)
  }
  return ids
}

/** Most messages make no call. */
const none: readonly string[] = []
