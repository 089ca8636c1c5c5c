import { useEffect, useState } from "react";
import { initials } from "#ui/components/user-avatar.tsx";
import { cn } from "#ui/lib/cn.ts";
import { gravatarUrl } from "./gravatar.ts";

import { dashboardTexts as texts } from "./texts.ts";

type ProfileAvatarProps = { name: string; email: string };

/** A user's picture from Gravatar above their initials, which stay when the picture does not come. */
export const ProfileAvatar = ({ name, email }: ProfileAvatarProps) => {
  const [url, setUrl] = useState<string | null>(null);
  const [isLoaded, setIsLoaded] = useState(false);
  useEffect(() => {
    let isCurrent = true;
    setIsLoaded(false);
    void gravatarUrl(email).then((next) => {
      if (isCurrent) setUrl(next);
    });
    return () => {
      isCurrent = false;
    };
  }, [email]);
  return (
    <div className="relative grid size-20 shrink-0 place-items-center overflow-hidden rounded-full border border-border bg-primary/10 sm:size-24">
      <span aria-hidden="true" className="font-medium text-2xl text-primary">
        {initials(name)}
      </span>
      {url !== null && (
        <img
          src={url}
          alt={texts.avatar}
          width={200}
          height={200}
          referrerPolicy="no-referrer"
          onLoad={() => setIsLoaded(true)}
          onError={() => setUrl(null)}
          className={cn(
            "absolute inset-0 size-full object-cover transition-opacity duration-200",
            !isLoaded && "opacity-0",
          )}
        />
      )}
    </div>
  );
};
