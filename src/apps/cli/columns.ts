/** How wide the output may be: as the terminal is, or as COLUMNS says where there is none. */
export const columnsOf = (stream: NodeJS.WriteStream): number =>
  stream.columns || Number(process.env.COLUMNS) || columnsDefault

const columnsDefault = 100
