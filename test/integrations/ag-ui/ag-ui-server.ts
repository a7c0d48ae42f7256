import { agUiHandler } from '../../../src/integrations/ag-ui/index.ts'
import { openJournal } from '../../../src/journal/index.ts'
import { models } from './scene.ts'
import { serve } from './serve.ts'

// A server of its own, for a parent that ends it in the middle of something.
const [file, strict = '', live = '', leaseMs] = process.argv.slice(2)
process.once('disconnect', () => process.exit(1))

const journal = await openJournal(`sqlite:${file}`, { live: live === 'true' || live })
const handler = agUiHandler(journal, {
  model: models.openai(strict),
  thread: { for: 'openai', leaseMs: Number(leaseMs) },
  whenGone: 'continue',
})
const { url } = await serve(handler)
process.send?.({ kind: 'ready', url })
