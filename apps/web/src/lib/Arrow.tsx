/** An arrow: a text for assistive technology and for copies of it, and drawn, since not every font has one. */
export function Arrow({ isBack = false }: { isBack?: boolean }) {
  return (
    <span className="arrow" data-back={isBack || undefined}>
      {isBack ? '←' : '→'}
    </span>
  );
}
