/** A healthy history of chat completions: turns of a question, a call, its result and an answer, about 200 bytes a message. */
export function longHistory(messages: number): object[] {
  const history: object[] = []
  for (let turn = 0; history.length < messages; turn++) {
    const id = `call_${turn}`
    const call = { id, type: 'function', function: { name: 'look_up', arguments: `{"page":${turn}}` } }
    history.push(
      { role: 'user', content: `Question ${turn}: ${words}` },
      { role: 'assistant', content: null, tool_calls: [call] },
      { role: 'tool', tool_call_id: id, content: `Page ${turn}: ${words}` },
      { role: 'assistant', content: `Answer ${turn}: ${words}` },
    )
  }
  return history
}

const words =
  'A page of an old book lies open on the table, and nobody has turned it since the lamp was lit; the wind may do it yet, or somebody who comes home late and reads.'
