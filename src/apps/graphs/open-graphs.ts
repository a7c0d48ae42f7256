import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { guardTables } from '../../doctor/files/look-at-journal.ts'
import type { ExistingGraphs, GraphReader } from '../../integrations/langgraph/graph-store.ts'

export interface GraphChoices {
  /** The PostgreSQL schema of the tables. */
  readonly schema?: string
}

/**
 * Opens the LangGraph checkpoints at the place of a journal, which was opened before, for reading. Undefined if it has none.
 */
export const openGraphs = (place: string, choices: GraphChoices): Promise<GraphReader | undefined> =>
  open(place, choices, 'read')

/** The same for erasing threads. */
export const openWritableGraphs = (place: string, choices: GraphChoices): Promise<ExistingGraphs | undefined> =>
  open(place, choices, 'write')

async function open(
  place: string,
  { schema }: GraphChoices,
  access: 'read' | 'write',
): Promise<ExistingGraphs | undefined> {
  if (/^postgres(ql)?:/i.test(place)) {
    const { openExistingPostgresGraphs } = await import('../../integrations/langgraph/postgres-store.ts')
    return openExistingPostgresGraphs(place, schema === undefined ? {} : { schema })
  }
  const { openExistingSqliteGraphs } = await import('../../integrations/langgraph/sqlite-store.ts')
  const { graphTables } = await import('../../integrations/langgraph/sqlite-schema.ts')
  const file = place.replace(/^sqlite:(\/\/)?/, '')
  const guard = guardTables(file, graphTables, access)
  const location = access === 'read' ? file : `${pathToFileURL(resolve(file)).href}?mode=rw`
  return openExistingSqliteGraphs(location, { readOnly: access === 'read' }, guard)
}
