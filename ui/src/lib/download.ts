// Gives the person a file that was made in the browser.
export function download(name: string, text: string, type = 'text/csv') {
  const url = URL.createObjectURL(new Blob([text], { type }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // The browser has taken the content over by then.
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}
