import type { Content, Desk, Opened } from '../../desk.ts'

const known = new WeakMap<Opened, Map<string, Content>>()

/** What was read of a row, if it was: printing cannot wait. */
export const knownContent = (opened: Opened, step: number, row: number): Content | undefined =>
  known.get(opened)?.get(`${step}/${row}`)

export async function readContent(desk: Desk, opened: Opened, step: number, row: number): Promise<Content> {
  const content = await desk.content(step, row)
  const contents = known.get(opened) ?? new Map<string, Content>()
  known.set(opened, contents.set(`${step}/${row}`, content))
  return content
}
