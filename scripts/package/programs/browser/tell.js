/** Everything that a door does with histories, as one text. */
export const tell = ({ heal, check, repair }, histories) =>
  JSON.stringify(histories.map(history => [heal(history), check(history), repair(history)]))
