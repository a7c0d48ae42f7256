/** The width of the output: that of the terminal or, without one, COLUMNS. */
export const columnsOf = (stream: NodeJS.WriteStream): number =>
  stream.columns || Number(process.env.COLUMNS) || columnsDefault

const columnsDefault = 100
