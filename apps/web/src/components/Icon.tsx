import type { SVGProps } from 'react';

type IconProps = Omit<SVGProps<SVGSVGElement>, 'children'> & {
  /** A file of `icons`, imported with `?raw`. */
  svg: string;
  size?: number | string;
};

/** Draws an icon, which says nothing to screen readers, in the colour of the text around it. */
export function Icon({ svg, size = 24, className, ...props }: IconProps) {
  return (
    <svg
      className={className === undefined ? 'icon' : `icon ${className}`}
      viewBox="0 0 24 24"
      width={size}
      height={size}
      aria-hidden
      {...props}
      dangerouslySetInnerHTML={{ __html: toShapes(svg) }}
    />
  );
}

export function toShapes(svg: string): string {
  return svg.slice(svg.indexOf('>') + 1, svg.lastIndexOf('</svg>'));
}
