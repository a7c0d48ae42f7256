import { agUiHandler } from '../../src/integrations/ag-ui/index.ts'
import { serve } from '../integrations/ag-ui/serve.ts'
import { attend, settingOf } from './inside.ts'
import { modelOf } from './model.ts'
import { codeOf, openAgain } from './open-again.ts'
import { dialects, threadOptions } from './settings.ts'
import { serverTools } from './tools.ts'

// The server of the AG-UI clients, on the same journals as the workers: the path says on which.
const setting = settingOf()
const service = attend({
  async stop() {
    await served[Symbol.asyncDispose]()
    await Promise.all(journals.map(journal => journal.close()))
  },
})
const journals = await Promise.all(dialects.map(dialect => openAgain(dialect, setting)))
const handlers = new Map(
  dialects.map((dialect, index) => {
    const handler = agUiHandler(journals[index], {
      model: modelOf(dialect, setting),
      tools: serverTools(dialect, setting),
      thread: threadOptions(dialect),
      onRepair: ({ repairs }) => {
        for (const { rule } of repairs) service.count(`left out ${rule}`)
      },
      onError: error => service.count(`error ${codeOf(error)}`),
    })
    return [`/${dialect}`, handler]
  }),
)
const served = await serve(async request => {
  service.count('runs')
  const handler = handlers.get(new URL(request.url).pathname)
  return handler ? handler(request) : new Response(null, { status: 404 })
})
service.ready(served.url)
