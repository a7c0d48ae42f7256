import { describe, expect, test } from 'vitest'
import { run } from '../../../src/journal/run.ts'
import type { Tool } from '../../../src/journal/tool.ts'
import { entriesOf, type Fixture, kindsOf, those } from './fixture.ts'
import { type Asked, calls, says, scripted, scriptedFor } from './model.ts'
import { said } from './said.ts'
import { taken } from './turn.ts'

/** What a person changed before it ran. */
export function checkEditedApprovals(fixture: Fixture): void {
  const note = (input: unknown): string =>
    `[changed input] A person approved this call and changed its input to ${JSON.stringify(input)}`

  /** A thread with a call that waits for a decision, seen from two processes. */
  const parked = async (tool: Tool = {}, asked: readonly Asked[] = [['book', { city: 'Lisbon' }]]) => {
    const [here, other] = [await fixture.process(), await fixture.process()]
    const ran: unknown[] = []
    const book: Tool = {
      ...{ approval: true, ...tool },
      execute: (input: never) => {
        ran.push(input)
        return 'booked'
      },
    }
    await here.thread().submit('Book.')
    await fixture.during(run(here.thread(), { model: scripted(asked), tools: { book } }))
    const open = await other.thread().openCalls()
    return { here, other, thread: other.thread(), ran, open, id: open[0].id, tools: { book } }
  }

  describe('approvals with changes', () => {
    test('[B460] a call runs with the input that a person approved, the record keeps what the model asked for, and the model is told', async () => {
      const { here, thread, ran, id, tools } = await parked()
      const input = { city: 'Faro' }
      const approved = await thread.approve(id, { reason: 'Lisbon is full', input })
      expect(approved).toEqual({ isFirst: true, status: 'approved', reason: 'Lisbon is full', input })
      expect(await thread.openCalls()).toMatchObject([{ input, asked: { city: 'Lisbon' }, isApproved: true }])
      const model = scripted('Done.')
      const events: unknown[] = []
      const onEvent = (event: unknown) => events.push(event)
      expect(await fixture.during(run(here.thread(), { model, tools, onEvent }))).toEqual({ status: 'done', turn: 1 })
      expect(ran).toEqual([{ city: 'Faro' }])
      expect(said(model.asked[0])).toEqual(['Book.', `booked\n\n${note(input)}`])
      expect(JSON.stringify(model.asked[0])).toContain('Lisbon')
      const entries = await entriesOf(here)
      expect(those(entries, 'call-edit')).toMatchObject([{ input, call: { index: 0 } }])
      expect(those(entries, 'call-settle')).toMatchObject([{ outcome: { status: 'done', content: 'booked' } }])
      expect(JSON.stringify(those(entries, 'response-record')[0])).toContain('Lisbon')
    })

    test.each(['anthropic', 'gemini', 'mistral', 'openai-responses'] as const)(
      '[B460] %s accepts the history, and is told the same',
      async dialect => {
        const { here, thread, id, tools } = await parked()
        await thread.approve(id, { input: { city: 'Faro' } })
        await fixture.during(run(here.thread(), { model: scripted('Done.'), tools }))
        await here.thread().submit('Thanks.')
        const model = scriptedFor(dialect, () => says('You are welcome.'))
        await fixture.during(run(here.thread({ for: dialect }), { model, format: 'openai-chat', tools }))
        const shown = JSON.stringify(model.asked[0])
        expect(shown).toContain('changed its input to')
        expect(shown).toContain('Lisbon')
        expect(shown).toContain('booked')
      },
    )

    test('[B461] the first decision counts with its input, and a second one gets it back', async () => {
      const { here, thread, ran, id, tools } = await parked()
      const verdicts = await Promise.all([
        thread.approve(id, { input: { city: 'Faro' } }),
        here.thread().approve(id, { input: { city: 'Porto' } }),
      ])
      expect(verdicts.filter(({ isFirst }) => isFirst)).toHaveLength(1)
      expect(verdicts[0].input).toEqual(verdicts[1].input)
      expect(await thread.approve(id)).toEqual({ isFirst: false, status: 'approved', input: verdicts[0].input })
      await fixture.during(run(here.thread(), { model: scripted('Done.'), tools }))
      expect(ran).toEqual([verdicts[0].input])
      expect(those(await entriesOf(here), 'call-edit')).toHaveLength(1)
    })

    test('[B461] the same input is an ordinary approval', async () => {
      const { here, thread, id, tools } = await parked()
      expect(await thread.approve(id, { input: { city: 'Lisbon' } })).toEqual({ isFirst: true, status: 'approved' })
      const model = scripted('Done.')
      await fixture.during(run(here.thread(), { model, tools }))
      expect(said(model.asked[0])).toEqual(['Book.', 'booked'])
      expect(await kindsOf(here)).not.toContain('call-edit')
    })

    test.each([['text'], [7], [null], [[{ city: 'Faro' }]]])(
      '[B462] an input that no call of the tool can have is refused, and nothing is written: %o',
      async input => {
        const { here, thread, id } = await parked()
        const before = await kindsOf(here)
        await expect(thread.approve(id, { input })).rejects.toMatchObject({ code: 'invalid-input' })
        expect(await kindsOf(here)).toEqual(before)
        await expect(thread.approve('nothing', { input: {} })).rejects.toMatchObject({ code: 'unknown-call' })
        expect(await thread.approve(id)).toEqual({ isFirst: true, status: 'approved' })
      },
    )

    test('[B463] a change reaches the call also if it was handed out before, or is decided before it waits', async () => {
      const [here, other] = [await fixture.process(), await fixture.process()]
      await here.thread().submit('Book.')
      const turn = await taken(here.thread())
      const [call] = await turn.record(calls(['book', { city: 'Lisbon' }]))
      await other.thread().approve(call.id, { input: { city: 'Faro' } })
      const ran: unknown[] = []
      await turn.perform(call, () => ran.push(call.input))
      expect(ran).toEqual([{ city: 'Faro' }])
      await turn.record(says('Done.'))
    })

    test('[B463] a tool that changes its input changes nothing that is stored', async () => {
      const { here, other, thread, id } = await parked()
      await thread.approve(id, { input: { city: 'Faro' } })
      const spoil = (input: { city: string }): string => {
        input.city = 'Nowhere'
        return 'booked'
      }
      const model = scripted('Done.')
      await fixture.during(run(here.thread(), { model, tools: { book: { execute: spoil as never } } }))
      expect(said(model.asked[0])).toEqual(['Book.', `booked\n\n${note({ city: 'Faro' })}`])
      expect(said(await other.thread().messages())).toEqual(['Book.', `booked\n\n${note({ city: 'Faro' })}`])
    })

    test('[B464] a changed call that was approved but not yet run survives a crash, and one that may run again runs with the change', async () => {
      const { here, other, thread, ran, id, tools } = await parked({ replay: 'safe' })
      await thread.approve(id, { input: { city: 'Faro' } })
      const turn = await taken(here.thread({ leaseMs: fixture.soonMs }), { isSafe: () => true })
      await turn.start(turn.calls[0])
      here.pause()
      await fixture.pass(2 * fixture.soonMs)
      expect(await fixture.during(run(other.thread(), { model: scripted('Done.'), tools }))).toMatchObject({
        status: 'done',
      })
      expect(ran).toEqual([{ city: 'Faro' }])
    })

    test('[B465] a branch that drops the call says nothing of the change', async () => {
      const { here, thread, id, tools } = await parked()
      await thread.approve(id, { input: { city: 'Faro' } })
      const { branch } = await thread.fork({ openCalls: 'drop' })
      await fixture.during(run(here.thread(), { model: scripted('Done.'), tools }))
      expect(said(await thread.messages())).toEqual(['Book.', `booked\n\n${note({ city: 'Faro' })}`])
      expect(said(await thread.messages({ branch }))).toEqual([
        'Book.',
        expect.stringMatching(/^\[no result\].*not carried over/),
      ])
    })
  })
}
