export async function loader(_p: string) {}
export function MarcPage() {
  return null
}
