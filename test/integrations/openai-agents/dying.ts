import { RunState } from '@openai/agents'
import { journalSession } from '../../../src/integrations/openai-agents/index.ts'
import { openJournal } from '../../../src/journal/index.ts'
import { agentFor, ask, runTool } from './agents.ts'

/** Asks once in peace, then approves a call and hangs in its tool until it is killed. */
const [, , place, url] = process.argv
const session = journalSession(await openJournal(place), 's')
await ask({ url, session }, 'Run it.')
const question = {
  ...{ url, session },
  tools: [
    runTool(() => {
      process.stdout.write('in the tool')
      return new Promise(() => setInterval(() => {}, 1000))
    }, true),
  ],
}
const agent = agentFor(question)
const waiting = await ask(question, 'Run it again.', agent)
const state = await RunState.fromString(agent, waiting.state.toString())
for (const item of state.getInterruptions()) state.approve(item)
await ask(question, state as never, agent)
