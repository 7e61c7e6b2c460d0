export async function loader(_p: string) {}
export function MarcEditorPage() {
  return null
}
